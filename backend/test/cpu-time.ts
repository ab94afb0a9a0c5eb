/**
 * The milliseconds of CPU that this process spends on something, in all its threads: a pause of the machine, or another
 * program's turn, is not counted.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
