import type { Instant } from '../../../../base/time.ts';
import { dateTime } from '../../epp/wire/date-time.ts';
import { writeDocument } from '../../epp/wire/document.ts';
import { writer } from '../../epp/wire/element.ts';
import { NS } from '../../epp/wire/namespace.ts';
import { type Answer, MESSAGES } from './result.ts';
import { SERVICES } from './service.ts';

const epp = writer('epp');

const OBJECTS = [NS.domain, NS.contact, NS.host];
const EXTENSIONS = [NS.rgp, NS.secDNS, NS.fee, NS.loginSec, NS.unhandled, SERVICES.citizenship];

/** What the sandbox says of itself (RFC 5730 §2.4). */
export function greetingDocument(now: Instant): string {
  return writeDocument(
    epp(
      'epp',
      epp('greeting', [
        epp('svID', 'Hostkeep sandbox registry'),
        epp('svDate', dateTime(now)),
        epp('svcMenu', [
          epp('version', '1.0'),
          epp('lang', 'en'),
          ...OBJECTS.map((uri) => epp('objURI', uri)),
          epp(
            'svcExtension',
            EXTENSIONS.map((uri) => epp('extURI', uri)),
          ),
        ]),
        epp('dcp', [
          epp('access', epp('all')),
          epp('statement', [
            epp('purpose', epp('prov')),
            epp('recipient', epp('ours')),
            epp('retention', epp('stated')),
          ]),
        ]),
      ]),
    ),
  );
}

/** The response to a command (RFC 5730 §2.6). */
export function responseDocument(
  { code, details = [], queue, data = [], extensions = [] }: Answer,
  clTRID: string | null,
  svTRID: string,
): string {
  return writeDocument(
    epp(
      'epp',
      epp('response', [
        epp(
          'result',
          [
            epp('msg', MESSAGES[code] ?? ''),
            ...details.map(({ value, reason }) =>
              epp('extValue', [epp('value', value), epp('reason', reason)]),
            ),
          ],
          { code: String(code) },
        ),
        queue === undefined
          ? null
          : epp(
              'msgQ',
              queue.message === null
                ? null
                : [epp('qDate', dateTime(queue.message.at)), epp('msg', queue.message.text)],
              { count: String(queue.count), id: queue.id },
            ),
        data.length === 0 ? null : epp('resData', data),
        extensions.length === 0 ? null : epp('extension', extensions),
        epp('trID', [clTRID === null ? null : epp('clTRID', clTRID), epp('svTRID', svTRID)]),
      ]),
    ),
  );
}
