import type { Node } from './node.ts';

/** The SHA-512 hash of a password (crypt(5)), as seeds and guest agents carry it. The password is never an argument. */
export async function hashed(node: Node, password: string): Promise<string> {
  return (await node.command(['openssl', 'passwd', '-6', '-stdin'], `${password}\n`)).trim();
}

/** A line of a file of passwords, or more than one: nothing that a login prompt could take. */
export function isPassword(text: string): boolean {
  return text.length > 0 && text.length <= 128 && !/[\0\r\n]/.test(text);
}
