/** A mail as our own mail server hands it over. */
export interface ReceivedMail {
  /** RFC 5322, whole; only its beginning when it is larger than what is taken. */
  readonly content: Buffer;
  /** Of the whole, in bytes. */
  readonly size: number;
  /** The envelope (RFC 5321). The sender is empty where nobody is to be answered. */
  readonly sender: string;
  readonly recipient: string;
  /**
   * The domain in From for which our own mail server says that DMARC (RFC 7489) has passed, which is in line with
   * what was signed or sent. null: it does not say so, or somebody else does.
   */
  readonly authenticatedDomain: string | null;
}

/** Keeps a mail: when it resolves, the mail may be forgotten by whoever handed it over; else it comes again. */
export type TakeMail = (mail: ReceivedMail) => Promise<void>;

/** Whether mail to an address is taken at all; who sends to another is told so where the way of delivery allows it. */
export type IsTaken = (recipient: string) => boolean;

/** Larger mails are not taken whole. Ten mebibytes of files are 14 in Base 64. */
export const LARGEST_MAIL = 20 * 1024 * 1024;

/** Where mail comes in. */
export interface Inbox {
  /** Begins to hand over what comes. */
  open(take: TakeMail, isTaken?: IsTaken): Promise<void>;
  /** Hands nothing over any more; what is being taken is finished. */
  close(): Promise<void>;
}
