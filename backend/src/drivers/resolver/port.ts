/** The public DNS, seen through resolvers of the operator's choosing; never through the machine's own files. */
export interface Resolver {
  /** A host name's addresses, IPv4 before IPv6. Empty where the DNS has none, or no such name. */
  addresses(name: string, deadlineMs: number): Promise<readonly string[]>;
  /** What the PTR records at a name say, lower case without the root's dot: any text. */
  pointers(name: string, deadlineMs: number): Promise<readonly string[]>;
  /** The TXT records at a name, each as one text. */
  texts(name: string, deadlineMs: number): Promise<readonly string[]>;
  /** The host names that a zone is delegated to, lower case without the root's dot: any text. */
  nameservers(zone: string, deadlineMs: number): Promise<readonly string[]>;
  // All throw BackendUnavailable where no resolver answers in time: that says nothing of the name.
}
