import { limits, rules } from '../../routers/core/rules.ts'
import { furtherServers, serverNames } from './server-names.ts'

/** Says where to find the tools that are not operations. Backticks mark code. */
export const FURTHER_TOOLS = `The tool server at \`${serverNames.space.path}\` has the tools of the operations above. \`${furtherServers.studio.path}\` has these and the tools below, plus a guide to templates (a resource) and a prompt for building a site. \`${furtherServers.readonly.path}\` has only the tools that read. Use it to prevent mistakes, not as protection: a key that works there also works at the other servers. The last two servers list only what the scopes of the key allow.`

/** Says how to use the address that `create_upload_link` returns. Backticks mark code. */
export const UPLOAD_LINKS = `The address that \`create_upload_link\` returns takes the bytes of one file, at most ${rules.file.max_bytes}, in the body of a PUT or POST, for example with \`curl -T logo.png ADDRESS\`. It needs no key, works once and only for ${limits.uploadLinkMinutes} minutes. It returns 201 and the file, or a problem: \`upload_link_not_found\` if the link is unknown, used or expired, or its key was revoked; \`payload_too_large\`; \`unsupported_media_type\` for a form or a compressed body; \`validation_failed\` for an empty file; \`storage_quota_exceeded\`, \`limit_reached\` and \`rate_limited\` as for any upload. The link keeps working after every problem except \`upload_link_not_found\`. Uploading under a name that exists creates another file.`
