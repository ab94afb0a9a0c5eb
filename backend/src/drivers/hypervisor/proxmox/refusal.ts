/** The cluster said no, in its own words, and changed nothing. */
export class PveRefusal extends Error {
  override readonly name = 'PveRefusal';
}

/** The driver itself says no. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Something goes on in the cluster that this command waits for; it is to be asked again later. */
export class UnderWay extends Error {
  override readonly name = 'UnderWay';
  readonly step: string;

  constructor(step: string) {
    super(`${step} is under way`);
    this.step = step;
  }
}

/**
 * What passes by itself: locks of another task, the daemon's own time-outs, a machine that was just moved or changed, a
 * cluster without quorum.
 */
const PASSING = [
  /is locked \(/,
  /got timeout|timed out|connection timeout/i,
  /can't lock file|trying to acquire|unable to acquire/,
  /got wrong lock/,
  /checksum mismatch \(file change|detected modified configuration/,
  /Configuration file '.*' does not exist/,
  /already (exists|used)/,
  /VM \d+ (already running|not running)|VM is paused/,
  /unexpected state change|interrupted by signal/,
  /no quorum|not ready|Connection refused|is not online/,
  /vm is running|is running - destroy failed/,
];

/** What another attempt would get again. */
const LASTING = [
  /does not exist|no such/,
  /no space left|not enough|out of space|No space|exceed/i,
  /not supported|not allowed|not available|does not support|feature is/,
  /guest agent|^Agent error/i,
  /can't clone|unable to parse|invalid|only root|protection mode|reserved name/,
];

/** What a text of the cluster means: ask again soon, never, or nobody knows. */
export function meaningOf(reason: string): 'passing' | 'lasting' | 'unknown' {
  if (PASSING.some((one) => one.test(reason))) return 'passing';
  return LASTING.some((one) => one.test(reason)) ? 'lasting' : 'unknown';
}
