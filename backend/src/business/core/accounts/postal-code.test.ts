import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MEMBER_STATES } from '../tax/rates.ts';
import { postalCodeProblem } from './postal-code.ts';

test('codes as they are written pass', () => {
  const codes = `
    AT:1010 AX:22100 BE:1000 BG:1000 CA:K1A_0B1 CA:K1A0B1 CH:8001 CY:1010 CZ:110_00 CZ:11000 DE:10115 DK:1050 EE:10111
    ES:28001 ES:52001 FI:00100 FR:75001 GB:SW1A_1AA GB:M11AE GB:BT1_1AA GR:104_31 HR:10000 HU:1011 IE:D02_AF30
    IE:D6W_F2A1 IT:00118 JE:JE2_3AB LI:9490 LT:LT-01103 LT:01103 LU:L-1009 LV:LV-1010 MC:98000 MT:VLT_1117 NL:1012_AB
    NL:1012AB NO:0150 PL:00-001 PT:1000-001 RO:010011 SE:111_22 SI:1000 SK:811_01 US:20500 US:20500-0003
  `
    .trim()
    .split(/\s+/);
  for (const code of codes) {
    const [country = '', zip = ''] = code.replace('_', ' ').split(':');
    assert.equal(postalCodeProblem(country, zip), null, code);
  }
});

test('a code that cannot be one is told with an example that is one', () => {
  for (const country of [...MEMBER_STATES, 'CH', 'LI', 'GB', 'US', 'CA', 'NO', 'IS', 'MC', 'AX']) {
    for (const code of ['', '0', '99999999', 'no code', '1010 ']) {
      const problem = postalCodeProblem(country, code);
      assert.ok(problem, `${country} ${code}`);
      assert.equal(postalCodeProblem(country, problem.example), null);
    }
  }
});

test('where nothing is known, anything passes', () => {
  assert.equal(postalCodeProblem('HK', '-'), null);
  assert.equal(postalCodeProblem('constructor', '-'), null);
});
