import { wrongParameters } from './refusal.ts';

/** A parameter as PVE's API documents it (its JSON schema dialect). */
export interface Property {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly optional?: true;
  readonly enum?: readonly string[];
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: keyof typeof FORMATS;
  readonly requires?: string;
}

export type Value = string | number;
export type Parameters = Readonly<Record<string, Property>>;

const list = (item: RegExp) => (text: string) =>
  text
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .every((part) => item.test(part));

const NETWORK_OPTION =
  /^(virtio|e1000|rtl8139|vmxnet3)(=[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5})?$|^bridge=\S+$|^firewall=[01]$|^tag=\d+$|^link_down=[01]$|^mtu=\d+$|^queues=\d+$|^trunks=[\d;-]+$/;

/** Formats by name: what fits, and what PVE says of what does not. */
const FORMATS = {
  'pve-vmid': [(text: string) => /^[1-9][0-9]{2,8}$/.test(text), 'value does not look like a valid VM ID'],
  'pve-node': [
    (text: string) => /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(text),
    'value does not look like a valid node name',
  ],
  'dns-name': [
    (text: string) =>
      /^(([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)\.)*([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)$/.test(text),
    'value does not look like a valid DNS name',
  ],
  'pve-configid': [(text: string) => /^[a-z][a-z0-9_-]+$/i.test(text), 'invalid configuration ID'],
  'pve-storage-id': [
    (text: string) => /^[a-z][a-z0-9._-]*[a-z0-9]$/i.test(text),
    'storage ID contains illegal characters',
  ],
  'pve-tag-list': [list(/^[a-z0-9_][a-z0-9_+.-]*$/i), 'invalid characters in tag'],
  'pve-configid-list': [list(/^[a-z][a-z0-9_-]+$/i), 'invalid configuration ID'],
  'pve-qm-net': [
    (text: string) =>
      text.split(',').every((part) => {
        const rate = /^rate=(\d+(?:\.\d+)?)$/.exec(part);
        return rate === null ? NETWORK_OPTION.test(part) : Number(rate[1]) >= 0;
      }),
    'unable to parse network options',
  ],
  'pve-qm-drive': [
    (text: string) =>
      /^(none|cdrom|[a-z][\w.-]*:[\w./-]+)(,(media=cdrom|size=\d+[KMGT]|discard=(on|ignore)|ssd=[01]|iothread=[01]|cache=\w+|backup=[01]|import-from=[\w.:/-]+))*$/i.test(
        text,
      ),
    'unable to parse drive options',
  ],
  cidr: [
    (text: string) => /^[0-9.]+(\/\d{1,2})?$|^[0-9a-f:]+(\/\d{1,3})?$/i.test(text),
    'value is not a valid IP address or CIDR',
  ],
} as const satisfies Record<string, readonly [(text: string) => boolean, string]>;

/** Checks what came against what a method takes; every text is as PVE says it. Throws PveRefusal. */
export function verified(
  given: Readonly<Record<string, string>>,
  parameters: Parameters,
): Readonly<Record<string, Value>> {
  const errors: Record<string, string> = {};
  const values: Record<string, Value> = {};
  for (const [name, text] of Object.entries(given)) {
    const property = parameters[name];
    if (property === undefined)
      errors[name] = 'property is not defined in schema and the schema does not allow additional properties';
    else {
      const found = problemOf(text, property);
      if (found !== null) errors[name] = found;
      else values[name] = converted(text, property);
    }
  }
  for (const [name, { optional, requires }] of Object.entries(parameters)) {
    if (given[name] === undefined && optional === undefined)
      errors[name] = 'property is missing and it is not optional';
    if (given[name] !== undefined && requires !== undefined && given[requires] === undefined)
      errors[requires] = `missing property - '${name}' requires this property`;
  }
  if (Object.keys(errors).length > 0) throw wrongParameters(errors);
  return values;
}

const TRUE = /^(1|on|yes|true)$/i;
const FALSE = /^(0|off|no|false)$/i;

function converted(text: string, { type }: Property): Value {
  if (type === 'boolean') return TRUE.test(text) ? 1 : 0;
  return type === 'string' ? text : Number(text);
}

function problemOf(text: string, property: Property): string | null {
  const { type, pattern, minLength, maxLength, minimum, maximum, format } = property;
  const wrong = `type check ('${type}') failed - got '${text}'`;
  if (type === 'integer' && !/^[+-]?\d+$/.test(text)) return wrong;
  if (type === 'number' && !/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text)) return wrong;
  if (type === 'boolean' && !TRUE.test(text) && !FALSE.test(text)) return wrong;
  if (format !== undefined && !FORMATS[format][0](text)) return `invalid format - ${FORMATS[format][1]}`;
  if (pattern !== undefined && !pattern.test(text)) return 'value does not match the regex pattern';
  if (maxLength !== undefined && text.length > maxLength)
    return `value may only be ${maxLength} characters long`;
  if (minLength !== undefined && text.length < minLength)
    return `value must be at least ${minLength} characters long`;
  if (maximum !== undefined && Number(text) > maximum) return `value must have a maximum value of ${maximum}`;
  if (minimum !== undefined && Number(text) < minimum) return `value must have a minimum value of ${minimum}`;
  if (property.enum !== undefined && !property.enum.includes(text))
    return `value '${text}' does not have a value in the enumeration '${property.enum.join(', ')}'`;
  return null;
}
