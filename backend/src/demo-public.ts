/** What everybody knows of the demo, on purpose: it is for trying Hostkeep out, and `serve --no-demo` makes none. */
export const DEMO = {
  customer: 'demo@hostkeep.example',
  operator: 'operator@hostkeep.example',
  password: 'hostkeep demo password',
  vouchers: [
    { code: 'DEMO-TEN-EURO', amount: 10_00n },
    { code: 'DEMO-FIFTY-EURO', amount: 50_00n },
  ],
  discountCodes: ['WELCOME10', 'PANEL25', 'FIRST100'],
} as const;
