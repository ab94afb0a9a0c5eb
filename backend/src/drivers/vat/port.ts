export type VatAnswer =
  | {
      readonly state: 'valid';
      /** As the register has it; null where the country does not tell. */
      readonly name: string | null;
      readonly address: string | null;
      /** The register's number of this consultation: the proof that it was asked. */
      readonly reference: string | null;
    }
  | { readonly state: 'invalid' };

/** The register of EU VAT numbers. */
export interface VatRegister {
  /**
   * Whether a number (with its country's prefix, without spaces) is registered today. `requester` is the seller's
   * own number, which makes the answer a proof. Throws BackendUnavailable when the register, or the country's part
   * of it, does not answer within the deadline: that says nothing of the number.
   */
  check(vatId: string, requester: string | null, deadlineMs: number): Promise<VatAnswer>;
}
