/** An answer of Proxmox VE that is no success, with the texts that it gives. */
export class PveRefusal extends Error {
  override readonly name = 'PveRefusal';
  readonly status: number;
  readonly errors: Readonly<Record<string, string>> | null;

  constructor(status: number, reason: string, errors: Readonly<Record<string, string>> | null = null) {
    super(reason);
    this.status = status;
    this.errors = errors;
  }
}

/** What `die` in a method becomes. */
export function died(reason: string): PveRefusal {
  return new PveRefusal(500, reason);
}

export function wrongParameters(errors: Readonly<Record<string, string>>): PveRefusal {
  return new PveRefusal(400, 'Parameter verification failed.', errors);
}
