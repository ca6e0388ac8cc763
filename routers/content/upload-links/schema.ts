import { z } from 'zod'
import { address, subdomain, timestamp } from '../../core/fields.ts'
import { limits, rules } from '../../core/rules.ts'
import { EMPTY_FILE } from '../files/content.ts'
import { fileName } from '../files/schema.ts'

export const NewUploadLink = z.strictObject({ subdomain, name: fileName })

export const UploadLink = z.object({
  url: address.meta({
    description: `Send the bytes of the file here with PUT or POST, without a key: \`curl -T FILE URL\`. Works for one file, within ${limits.uploadLinkMinutes} minutes`,
    examples: ['https://example.org/uploads/0Ab1'],
  }),
  name: z.string().meta({ description: 'The name that the file will have', examples: ['logo.png'] }),
  expires_at: timestamp,
  max_bytes: z.int().meta({ description: 'Maximum size of the file', examples: [rules.file.max_bytes] }),
})

/** The body of a request to a link: the bytes of the file, not encoded. */
export const SentFile = z.strictObject({
  content: z
    .custom<Buffer>(value => Buffer.isBuffer(value))
    .refine(bytes => bytes.length > 0, { error: EMPTY_FILE }),
})
