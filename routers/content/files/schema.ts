import { z } from 'zod'
import { address, evenIfInvalid, fits, id, subdomain, timestamp } from '../../core/fields.ts'
import { rules } from '../../core/rules.ts'
import { contentFault } from './content.ts'
import { cleanName } from './filename.ts'

const { file: rule } = rules

const name = z
  .string()
  .overwrite(cleanName)
  .refine(value => value.isWellFormed(), { error: 'must not hold a lone surrogate' })
  .refine(value => value !== '.' && value !== '..', { error: 'must be more than dots' })
  .refine(value => value !== '' && fits(value, rule.name_max_length), {
    error: `must be 1 to ${rule.name_max_length} characters long, without its path`,
  })
  .meta({
    minLength: 1,
    description:
      'The file name. A path before it is dropped, control characters are removed, and its extension decides the content type',
    examples: ['site.css'],
  })

const content = z.string().meta({
  minLength: 1,
  description: `The bytes, at most ${rule.max_bytes}, written as \`encoding\` says`,
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
    id: z.string().meta({ description: 'Stays when name or content change', examples: ['f5n8d3q7y2b6m9s4'] }),
    name: z.string().meta({ description: 'Several files may share a name', examples: ['site.css'] }),
    content_type: z.string().meta({ description: 'Decided by the extension alone', examples: ['text/css'] }),
    size: z.int().meta({ description: 'Bytes', examples: [18] }),
    url: address.meta({
      description: 'Where anybody can fetch the file; stays when the content is replaced',
      examples: ['https://f5n8d3q7y2b6m9s4.files.example'],
    }),
    uploaded_by: z
      .string()
      .nullable()
      .meta({ description: "The uploader's handle; null when the account is gone", examples: ['robin'] }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'File' })

export const FileList = z
  .object({
    data: z.array(File),
    storage: z.object({
      used: z.int().meta({ description: 'Bytes that the files take together', examples: [18] }),
      quota: z.int().meta({ description: 'Bytes that they may take', examples: [rule.quota_bytes] }),
      file_max_bytes: z
        .int()
        .meta({ description: 'Bytes that one file may have', examples: [rule.max_bytes] }),
    }),
  })
  .meta({ id: 'FileList' })

interface ContentFields {
  content?: string | undefined
  encoding?: (typeof rule.encodings)[number] | undefined
}

/** Content is judged by its encoding, where it has one. */
const judgeContent = ({ content, encoding: given }: ContentFields, context: Context) => {
  if (typeof content !== 'string' || !encoding.safeParse(given).success) return
  const fault = contentFault(content, given!)
  if (fault) refuse(context, 'content', fault)
}

/** Content and encoding mean nothing without each other. */
const judgePair = (value: ContentFields, context: Context) => {
  if ('content' in value && !('encoding' in value))
    refuse(context, 'encoding', 'must be sent together with content')
  if ('encoding' in value && !('content' in value))
    refuse(context, 'content', 'must be sent together with encoding')
}

type Context = z.core.$RefinementCtx<ContentFields>

const refuse = (context: Context, field: string, message: string) =>
  context.addIssue({ code: 'custom', path: [field], message })

export const NewFile = z
  .strictObject({ subdomain, name, content, encoding })
  .superRefine(judgeContent, { when: evenIfInvalid })

export const FileChange = z
  .strictObject({
    subdomain,
    file_id: fileId,
    name: name.optional(),
    content: content.optional(),
    encoding: encoding.optional(),
  })
  .superRefine(judgePair, { when: evenIfInvalid })
  .superRefine(judgeContent, { when: evenIfInvalid })
  .meta({ dependentRequired: { content: ['encoding'], encoding: ['content'] } })
