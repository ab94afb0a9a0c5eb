/** What is sold: each product has services of its own. */
export type Product = 'license' | 'server' | 'webspace' | 'domain';
