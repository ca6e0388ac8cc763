import { z } from 'zod'
import { address, evenIfInvalid, exampleIds, fits, id, subdomain, timestamp } from '../../api/fields.ts'
import { LongText } from '../../api/long-text.ts'
import { rules } from '../../api/rules.ts'
import { contentFault, EMPTY_FILE, longContentFault } from './content.ts'
import { cleanName } from './store-file.ts'

const { file: rule } = rules

export const fileName = z
  .string()
  .overwrite(cleanName)
  .refine(value => value.isWellFormed(), { error: 'must not contain a lone surrogate' })
  .refine(value => value !== '.' && value !== '..', { error: 'must not be "." or ".."' })
  .refine(value => value !== '' && fits(value, rule.name_max_length), {
    error: `must be 1 to ${rule.name_max_length} characters long, without its path`,
  })
  .meta({
    minLength: 1,
    description:
      'The file name. A leading path is removed, and so are control characters. The extension decides the content type',
    examples: ['site.css'],
  })

const isText = (value: unknown) => typeof value === 'string' || value instanceof LongText

/** Returns the message that `z.string()` would give. */
const NOT_TEXT: z.core.$ZodErrorMap = ({ input }) => z.string().safeParse(input).error?.issues[0]?.message

const content = z.custom<string | LongText>(isText, { error: NOT_TEXT }).meta({
  type: 'string',
  minLength: 1,
  description: `The bytes, at most ${rule.max_bytes}, in the encoding that \`encoding\` names`,
  examples: ['Ym9keSB7IG1hcmdpbjogMCB9'],
})

const encoding = z.enum(rule.encodings).meta({
  id: 'FileEncoding',
  description:
    '`base64` for any file (line breaks and spaces are ignored), `text` for text that is stored as UTF-8',
})

export const fileId = id('file')

export const File = z
  .object({
    id: z.string().meta({ description: 'Does not change with name or content', examples: [exampleIds.file] }),
    name: z.string().meta({ description: 'Several files can have the same name', examples: ['site.css'] }),
    content_type: z
      .string()
      .meta({ description: 'Determined by the extension of the name only', examples: ['text/css'] }),
    size: z.int().meta({ description: 'Bytes', examples: [18] }),
    url: address.meta({
      description: 'The public address of the file; does not change with its content',
      examples: ['https://f5n8d3q7y2b6m9s4.files.example'],
    }),
    uploaded_by: z
      .string()
      .nullable()
      .meta({
        description: "The uploader's handle; null after the account was deleted",
        examples: ['robin'],
      }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'File' })

export const FileList = z
  .object({
    data: z.array(File),
    storage: z.object({
      used: z.int().meta({ description: 'Total size of the files in bytes', examples: [18] }),
      quota: z.int().meta({ description: 'Maximum total size in bytes', examples: [rule.quota_bytes] }),
      file_max_bytes: z
        .int()
        .meta({ description: 'Maximum size of one file in bytes', examples: [rule.max_bytes] }),
    }),
  })
  .meta({ id: 'FileList' })

interface ContentFields {
  content?: string | LongText | undefined
  encoding?: (typeof rule.encodings)[number] | undefined
}

/**
 * Checks the content according to its encoding. If the encoding is invalid, checks only that the content is
 * not empty.
 */
const checkContent = ({ content, encoding: given }: ContentFields, context: Context) => {
  const report = (fault: string | null) => {
    if (fault) refuse(context, 'content', fault)
  }
  if (!isText(content)) return
  if (!encoding.safeParse(given).success) return report(content === '' ? EMPTY_FILE : null)
  if (typeof content === 'string') return report(contentFault(content, given!))
  return longContentFault(content, given!).then(report)
}

/** Content and encoding must be sent together. */
const checkPair = (value: ContentFields, context: Context) => {
  if ('content' in value && !('encoding' in value))
    refuse(context, 'encoding', 'must be sent together with content')
  if ('encoding' in value && !('content' in value))
    refuse(context, 'content', 'must be sent together with encoding')
}

type Context = z.core.$RefinementCtx<ContentFields>

const refuse = (context: Context, field: string, message: string) =>
  context.addIssue({ code: 'custom', path: [field], message })

export const NewFile = z
  .strictObject({ subdomain, name: fileName, content, encoding })
  .superRefine(checkContent, { when: evenIfInvalid })

const httpsAddress = z
  .string()
  .max(2_048, { error: 'must be at most 2048 characters long' })
  .refine(
    value => {
      const url = URL.parse(value)
      return url?.protocol === 'https:' && url.username === '' && url.password === ''
    },
    { error: 'must be an https address without a user name or password' },
  )

export const FileFromUrl = z.strictObject({
  subdomain,
  url: httpsAddress.meta({
    description: 'The https address of the file on the public internet',
    examples: ['https://example.org/logo.png'],
  }),
  name: fileName.optional().meta({
    description:
      'The file name; by default the last part of the path. The extension decides the content type',
    examples: ['logo.png'],
  }),
})

export const FileChange = z
  .strictObject({
    subdomain,
    file_id: fileId,
    name: fileName.optional(),
    content: content.optional(),
    encoding: encoding.optional(),
  })
  .superRefine(checkPair, { when: evenIfInvalid })
  .superRefine(checkContent, { when: evenIfInvalid })
  .meta({ dependentRequired: { content: ['encoding'], encoding: ['content'] } })
