/**
 * Writes api/openapi.json from the definitions of the operations. With --check it only compares and exits 1
 * when the file is stale.
 */
import { operations } from '../backend/src/operations.generated.ts';
import { openApiDocument } from '../backend/src/wire/openapi.ts';
import { writeGenerated } from './generated.ts';

writeGenerated('api/openapi.json', `${JSON.stringify(openApiDocument(operations), null, 2)}\n`);
