/** What a parent publishes of a signed zone (RFC 4034 §5); the digest in upper-case hexadecimal. */
export interface DelegationSigner {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: string;
}
