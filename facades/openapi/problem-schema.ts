import { type ErrorCode, errors } from '../../routers/core/errors.ts'
import type { Schema } from './document.ts'

const FIELD_ERROR = { $ref: '#/components/schemas/FieldError' }

/** The components of a failure's body (contract: "Errors"), with the codes that the API uses. */
export const problemSchemas = (codes: readonly ErrorCode[]): Record<string, Schema> => ({
  Problem: {
    type: 'object',
    description: 'What went wrong (RFC 9457). Rely on `code` and `status`; the rest is for people',
    required: ['type', 'title', 'status', 'code'],
    properties: {
      type: { type: 'string', format: 'uri', description: 'Address of the explanation of this `code`' },
      title: { type: 'string', description: 'The same for every failure of this `code`' },
      status: {
        type: 'integer',
        enum: [...new Set(codes.map(code => errors[code].status))].sort((a, b) => a - b),
        description: 'The HTTP status',
      },
      code: { type: 'string', enum: [...codes], description: 'What went wrong, for programs' },
      detail: { type: 'string', description: 'What is particular to this request' },
      errors: {
        type: 'array',
        description: 'Every broken rule; only with `validation_failed`',
        minItems: 1,
        items: FIELD_ERROR,
      },
    },
    additionalProperties: false,
  },
  FieldError: {
    type: 'object',
    description: 'A broken rule',
    required: ['field', 'message'],
    properties: {
      field: {
        type: 'string',
        description: 'Dotted path of the field, such as `slug` or `tags.0`; `$` is the body as a whole',
      },
      message: { type: 'string', description: "Continues a sentence that begins with the field's name" },
    },
    additionalProperties: false,
  },
})

/** Members that a failure's body always has with certain codes, beyond those that it has with all. */
const ALSO_REQUIRED: Partial<Record<ErrorCode, ('detail' | 'errors')[]>> = {
  validation_failed: ['errors'],
  rate_limited: ['detail'],
  internal_error: ['detail'],
}

/** A failure's body where only some codes can occur, all of one status. */
export const problemWith = (codes: readonly ErrorCode[]): Schema => {
  const required = codes.length === 1 ? (ALSO_REQUIRED[codes[0]!] ?? []) : []
  return {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        ...(required.length ? { required } : {}),
        properties: {
          status: { type: 'integer', const: errors[codes[0]!].status },
          code: { type: 'string', enum: [...codes] },
          ...(required.includes('errors') ? { errors: { type: 'array', items: FIELD_ERROR } } : {}),
          ...(required.includes('detail') ? { detail: { type: 'string' } } : {}),
        },
      },
    ],
  }
}
