import type { CommandOutcome } from '../outcome.ts';

/** A mail to one person, in both forms. */
export interface MailMessage {
  /** RFC 5322 msg-id without its brackets; the same for every attempt, so that receivers can tell a repetition. */
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The msg-ids of what it belongs to (RFC 5322 §3.6.4), the oldest first; it answers the last. */
  readonly references?: readonly string[];
  /** Where an answer goes, other than to the sender. */
  readonly replyTo?: string;
}

/** Sends mail. */
export interface Mailer {
  /**
   * done: the server has taken it. refused: it never will (RFC 5321 5yz), such as an address that does not exist.
   * Throws BackendUnavailable otherwise: it may have been taken, and is sent again under the same message id.
   */
  send(message: MailMessage): Promise<CommandOutcome<null>>;
}

/** A mailer as the program opens and closes it. */
export interface MailConnection extends Mailer {
  /** Connects and logs in without sending anything: null when that works, else why it does not. */
  problem(): Promise<string | null>;
  close(): void;
}
