/**
 * Where a customer goes on after paying, with the payment's uuid as `payment`; null when it is not below our own
 * address: nobody is sent elsewhere by a payment.
 */
export function returnAddress(
  given: string | undefined,
  publicUrl: string,
  paymentId: string,
): string | null {
  const own = new URL(`${publicUrl}/`);
  const url = given === undefined ? new URL(own) : URL.parse(given);
  if (url === null || url.origin !== own.origin || !url.pathname.startsWith(own.pathname)) return null;
  if (url.username !== '' || url.password !== '') return null;
  url.searchParams.set('payment', paymentId);
  return url.href;
}
