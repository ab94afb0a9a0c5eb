import { CONTRACT } from '../backend/src/contract.ts';
import { operations } from '../backend/src/operations.generated.ts';
import { openApiDocument } from '../backend/src/wire/openapi.ts';
import type { GeneratedFile } from './generated-file.ts';
import { readableJson } from './readable-json.ts';

/** The OpenAPI document, from the definitions of the operations. */
export function openApi(): GeneratedFile[] {
  return [{ name: 'api/openapi.json', text: readableJson(openApiDocument(operations, CONTRACT)) }];
}
