// Made from the OpenAPI documents; see test/openapi/client.test.ts.

import type { CallOptions, Conditional, Repeatable } from './index.js'

/** The codes of errors. */
export type ErrorCode =
  | "comment_not_found"
  | "data_not_found"
  | "data_quota_exceeded"
  | "file_not_found"
  | "handle_taken"
  | "idempotency_in_progress"
  | "idempotency_key_reused"
  | "insufficient_scope"
  | "internal_error"
  | "invalid_json"
  | "limit_reached"
  | "method_not_allowed"
  | "not_found"
  | "page_not_found"
  | "part_name_taken"
  | "part_not_found"
  | "parts_quota_exceeded"
  | "payload_too_large"
  | "post_not_found"
  | "precondition_failed"
  | "rate_limited"
  | "slug_taken"
  | "space_mismatch"
  | "storage_quota_exceeded"
  | "unauthorized"
  | "unavailable"
  | "unsupported_media_type"
  | "validation_failed"
  | "version_conflict"

/** `scripted` runs HTML, CSS and JavaScript in a frame with its own origin; `static` is shown directly, with scripts, forms and embeds removed */
export type PageKind = "scripted" | "static"

/** `base64` for any file (line breaks and spaces are ignored), `text` for text that is stored as UTF-8 */
export type FileEncoding = "base64" | "text"

export type Space = {
  subdomain: string
  name: string
  /** The site's address */
  url: string
  /** A PNG of 256×256 pixels; every new icon has another URL; null when unset */
  icon_url: string | null
  /** The permissions of the calling key */
  scopes: Array<"pages" | "data" | "files" | "files_write">
  rules: Rules
  rate_limit: {
    /** Calls that a key can make per minute */
    requests_per_minute: number
  }
}

/** The limits that are enforced */
export type Rules = {
  page: {
    slug: {
      min_length: number
      max_length: number
      pattern: "^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$"
    }
    kinds: Array<"scripted" | "static">
    default_kind: "scripted"
    html_max_length: number
  }
  part: {
    name: {
      min_length: number
      max_length: number
      pattern: "^[a-z0-9](?:[a-z0-9_-]{0,58}[a-z0-9])?$"
    }
    html_max_length: number
    total_max_length: number
  }
  data: {
    key_pattern: "^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$"
    max_records: number
    value_max_bytes: number
    total_max_bytes: number
    max_depth: number
  }
  file: {
    max_bytes: number
    quota_bytes: number
    name_max_length: number
    encodings: Array<"base64" | "text">
  }
}

export type PageList = {
  data: Array<Page>
}

export type Page = {
  /** Does not change with the slug */
  id: string
  slug: string
  kind: PageKind
  /** The address of the page */
  url: string
  created_at: Timestamp
  updated_at: Timestamp
}

/** UTC, ISO 8601, with milliseconds */
export type Timestamp = string

export type PageWithHtml = {
  /** Does not change with the slug */
  id: string
  slug: string
  kind: PageKind
  /** The address of the page */
  url: string
  created_at: Timestamp
  updated_at: Timestamp
  /** The stored body */
  html: string
}

export type PartList = {
  data: Array<Part>
}

export type Part = {
  /** Does not change with the name */
  id: string
  name: string
  created_at: Timestamp
  updated_at: Timestamp
}

export type PartWithHtml = {
  /** Does not change with the name */
  id: string
  name: string
  created_at: Timestamp
  updated_at: Timestamp
  /** The stored body */
  html: string
  /** Pages and parts that name this part in `render`, `include` or `layout`. Names in variables are not found */
  used_by: {
    pages: Array<{
      id: string
      slug: string
    }>
    parts: Array<{
      /** Does not change with the name */
      id: string
      name: string
    }>
  }
}

export type DataList = {
  data: Array<DataRecord>
}

export type DataRecord = {
  key: string
  /** Any JSON */
  value: unknown
  /** Shown in the dashboard */
  description: string | null
  /** 1 for a new record, raised by 1 with each write */
  version: number
  updated_at: Timestamp
  /** A loose JSON Schema of `value` with types and keys, derived on read */
  schema: { [key: string]: unknown }
  /** Array elements that differ from most others in their array. They are saved anyway */
  warnings: Array<ShapeWarning>
}

export type ShapeWarning = {
  /** JSON Pointer of the array element */
  path: string
  kind: "missing_keys" | "extra_keys" | "type_mismatch"
  message: string
}

export type FileList = {
  data: Array<File>
  storage: {
    /** Total size of the files in bytes */
    used: number
    /** Maximum total size in bytes */
    quota: number
    /** Maximum size of one file in bytes */
    file_max_bytes: number
  }
}

export type File = {
  /** Does not change with name or content */
  id: string
  /** Several files can have the same name */
  name: string
  /** Determined by the extension of the name only */
  content_type: string
  /** Bytes */
  size: number
  /** The public address of the file; does not change with its content */
  url: string
  /** The uploader's handle; null after the account was deleted */
  uploaded_by: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** A broken rule */
export type FieldError = {
  /** Dotted path of the field, such as `slug` or `tags.0`; `$` is the body as a whole */
  field: string
  /** The rest of a sentence that starts with the field name, such as `must not be empty` */
  message: string
}

export type Account = {
  /** Shown on posts and comments */
  handle: string
  /** Null when unset; the handle is shown instead */
  display_name: string | null
  /** A PNG of 256×256 pixels; the URL changes with every new picture; null when unset */
  icon_url: string | null
  /** Plain text with line breaks; null when unset */
  bio: string | null
  /** The scopes of the calling token */
  scopes: Array<"posts" | "comments" | "likes" | "profile">
  rules: UserRules
  rate_limit: {
    /** Calls that a token can make per minute */
    requests_per_minute: number
  }
}

/** The limits in force */
export type UserRules = {
  profile: {
    handle: {
      min_length: number
      max_length: number
      pattern: "^[A-Za-z0-9._]{3,15}$"
    }
    display_name: {
      max_length: number
    }
    bio: {
      max_length: number
    }
    icon: {
      width: number
      height: number
      max_bytes: number
    }
  }
  post: {
    formats: Array<"html" | "markdown" | "reblog">
    default_format: "html"
    html: {
      max_bytes: number
    }
    markdown: {
      max_bytes: number
    }
    url: {
      max_length: number
      schemes: Array<"http" | "https">
    }
    text: {
      max_length: number
    }
    tags: {
      max_count: number
      min_length: number
      max_length: number
    }
  }
  comment: {
    body: {
      min_length: number
      max_length: number
    }
    list_max_count: number
  }
}

export type PostList = {
  data: Array<Post>
}

export type Post = {
  /** Stays the same when the body is replaced */
  id: string
  /** The address of the post: its own origin */
  url: string
  author_handle: string
  format: PostFormat
  /** Sorted by name */
  tags: Array<string>
  /** False for a draft from the dashboard */
  published: boolean
  /** Null for a draft */
  published_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
  like_count: number
  comment_count: number
}

/** `rich` is a post written in Markdown */
export type PostFormat = "html" | "rich" | "reblog"

export type PostDetail = {
  /** Stays the same when the body is replaced */
  id: string
  /** The address of the post: its own origin */
  url: string
  author_handle: string
  format: PostFormat
  /** Sorted by name */
  tags: Array<string>
  /** False for a draft from the dashboard */
  published: boolean
  /** Null for a draft */
  published_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
  like_count: number
  comment_count: number
  /** The document at `url`: as it was sent if `format` is `html`, otherwise generated */
  html: string
  /** The shared link; null unless `format` is `reblog` */
  reblog: {
    url: string
    /** Null when none was given */
    text: string | null
  } | null
}

export type CommentList = {
  data: Array<Comment>
}

export type Comment = {
  id: string
  /** The post that the comment is on */
  post_id: string
  author_handle: string
  /** Plain text, never HTML */
  body: string
  created_at: Timestamp
  updated_at: Timestamp
}

export type LikeState = {
  post_id: string
  liked: true
  /** How many people like the post */
  like_count: number
}

export type CreatePageInput = {
  /** The last part of the address, unique within the space; `index` is the home page */
  slug: string
  kind?: PageKind | undefined
  /** The body, a Liquid template. A template with mistakes is saved too; its page then shows an error. Scripts get data with `{{ data.x | json | raw }}`. Surrounding white space is removed first */
  html: string
}

export type GetPageInput = {
  /** The id of the page */
  page_id: string
}

export type UpdatePageInput = {
  /** The id of the page */
  page_id: string
} & {
  /** The last part of the address, unique within the space; `index` is the home page */
  slug?: string | undefined
  kind?: PageKind | undefined
  /** The body, a Liquid template. A template with mistakes is saved too; its page then shows an error. Scripts get data with `{{ data.x | json | raw }}`. Surrounding white space is removed first */
  html?: string | undefined
}

export type DeletePageInput = {
  /** The id of the page */
  page_id: string
}

export type CreatePartInput = {
  /** The name by which templates include the part; unique within the space */
  name: string
  /** The body, a Liquid template. Surrounding white space is removed first */
  html: string
}

export type GetPartInput = {
  /** The id of the part */
  part_id: string
}

export type UpdatePartInput = {
  /** The id of the part */
  part_id: string
} & {
  /** The name by which templates include the part; unique within the space */
  name?: string | undefined
  /** The body, a Liquid template. Surrounding white space is removed first */
  html?: string | undefined
}

export type DeletePartInput = {
  /** The id of the part */
  part_id: string
}

export type GetDataInput = {
  /** The key of the record */
  key: string
}

export type PutDataInput = {
  /** The key of the record */
  key: string
} & {
  /** Any JSON, at most 65536 bytes as compact JSON and 32 levels deep. Send the JSON itself: a string that contains JSON is stored as a string */
  value: unknown
  /** Shown to people in the dashboard; unchanged when omitted */
  description?: string | null | undefined
  /** Write only if this is still the current version; omit it to write regardless of the version */
  version?: number | undefined
}

export type DeleteDataInput = {
  /** The key of the record */
  key: string
}

export type UploadFileInput = {
  /** The file name. A leading path is removed, and so are control characters. The extension decides the content type */
  name: string
  /** The bytes, at most 10485760, in the encoding that `encoding` names */
  content: string
  encoding: FileEncoding
}

export type GetFileInput = {
  /** The id of the file */
  file_id: string
}

export type UpdateFileInput = {
  /** The id of the file */
  file_id: string
} & {
  /** The file name. A leading path is removed, and so are control characters. The extension decides the content type */
  name?: string | undefined
  /** The bytes, at most 10485760, in the encoding that `encoding` names */
  content?: string | undefined
  encoding?: FileEncoding | undefined
}

export type DeleteFileInput = {
  /** The id of the file */
  file_id: string
}

export type UpdateProfileInput = {
  /** Without `@`; unique ignoring case. The old handle becomes free immediately */
  handle?: string | undefined
  /** One line with at least one visible character; null or an empty string removes it. Surrounding white space is removed first */
  display_name?: string | null | undefined
  /** Plain text with line breaks; null or an empty string removes it. Surrounding white space is removed first */
  bio?: string | null | undefined
}

export type SetProfileIconInput = {
  /** A PNG of exactly 256×256 pixels and at most 1048576 bytes, as base64 */
  png: string
}

export type CreatePostInput = ({
  /** `html` is served unchanged on its own origin; `markdown` becomes a `rich` post, and its Markdown is not stored; `reblog` shares a link */
  format?: "html" | undefined
  /** The document, when `format` is `html` */
  html: string
  /** At most 5 tags of 1 to 50 characters; tags that differ only in case count once. You can't change them later */
  tags?: Array<string> | undefined
} | {
  /** `html` is served unchanged on its own origin; `markdown` becomes a `rich` post, and its Markdown is not stored; `reblog` shares a link */
  format: "markdown"
  /** The text, when `format` is `markdown`: CommonMark with tables, strikethrough and bare links. HTML in it is shown as text */
  markdown: string
  /** At most 5 tags of 1 to 50 characters; tags that differ only in case count once. You can't change them later */
  tags?: Array<string> | undefined
} | {
  /** `html` is served unchanged on its own origin; `markdown` becomes a `rich` post, and its Markdown is not stored; `reblog` shares a link */
  format: "reblog"
  /** The link to share, when `format` is `reblog`. It is not fetched */
  url: string
  /** Your comment on the link, when `format` is `reblog`. Surrounding white space is removed first */
  text?: string | undefined
  /** At most 5 tags of 1 to 50 characters; tags that differ only in case count once. You can't change them later */
  tags?: Array<string> | undefined
})

export type GetPostInput = {
  /** The id of the post */
  post_id: string
}

export type UpdatePostInput = {
  /** The id of the post */
  post_id: string
} & ({
  /** `html` is served unchanged on its own origin; `markdown` becomes a `rich` post, and its Markdown is not stored; `reblog` shares a link */
  format?: "html" | undefined
  /** The document, when `format` is `html` */
  html: string
} | {
  /** `html` is served unchanged on its own origin; `markdown` becomes a `rich` post, and its Markdown is not stored; `reblog` shares a link */
  format: "markdown"
  /** The text, when `format` is `markdown`: CommonMark with tables, strikethrough and bare links. HTML in it is shown as text */
  markdown: string
} | {
  /** `html` is served unchanged on its own origin; `markdown` becomes a `rich` post, and its Markdown is not stored; `reblog` shares a link */
  format: "reblog"
  /** The link to share, when `format` is `reblog`. It is not fetched */
  url: string
  /** Your comment on the link, when `format` is `reblog`. Surrounding white space is removed first */
  text?: string | undefined
})

export type DeletePostInput = {
  /** The id of the post */
  post_id: string
}

export type ListCommentsInput = {
  /** The id of the post */
  post_id: string
  /** Where to continue: from the `Link` header of the previous list */
  after?: string | undefined
}

export type CreateCommentInput = {
  /** The id of the post */
  post_id: string
} & {
  /** Plain text; line breaks and tabs are allowed. Surrounding white space is removed first */
  body: string
}

export type UpdateCommentInput = {
  /** The id of the comment */
  comment_id: string
} & {
  /** Plain text; line breaks and tabs are allowed. Surrounding white space is removed first */
  body: string
}

export type DeleteCommentInput = {
  /** The id of the comment */
  comment_id: string
}

export type LikePostInput = {
  /** The id of the post */
  post_id: string
}

export type UnlikePostInput = {
  /** The id of the post */
  post_id: string
}

/** Calls the Space API: Builds the website of one space: its pages, shared parts, data records and files. */
export interface SpaceClient {
  /** Read the space. The space, the permissions of the key, and the rules and limits that apply. Works with any key, whatever its scopes. */
  getSpace(options?: CallOptions): Promise<Space>
  /** List the pages. All pages of the space, ordered by slug, without their bodies. Needs the scope `pages`. */
  listPages(options?: CallOptions): Promise<PageList>
  /** Create a page. The page is public immediately. If the slug is taken, nothing changes. Needs the scope `pages`. */
  createPage(input: CreatePageInput, options?: CallOptions & Repeatable): Promise<Page>
  /** Read a page. One page with its stored body. Needs the scope `pages`. */
  getPage(input: GetPageInput, options?: CallOptions & Pick<Conditional, 'ifNoneMatch'>): Promise<PageWithHtml>
  /** Change a page. Changes only the fields that are sent. With a new slug the old address stops working; the id stays the same. Needs the scope `pages`. */
  updatePage(input: UpdatePageInput, options?: CallOptions & Conditional): Promise<Page>
  /** Delete a page. The address of the page stops working. Participants can restore the page from the history in the dashboard. Needs the scope `pages`. */
  deletePage(input: DeletePageInput, options?: CallOptions & Conditional): Promise<void>
  /** List the parts. All parts of the space, ordered by name, without their bodies. Needs the scope `pages`. */
  listParts(options?: CallOptions): Promise<PartList>
  /** Create a part. A part can include parts that do not exist yet, but not itself, directly or indirectly. Needs the scope `pages`. */
  createPart(input: CreatePartInput, options?: CallOptions & Repeatable): Promise<Part>
  /** Read a part. One part with its stored body, and the pages and parts that include it. Needs the scope `pages`. */
  getPart(input: GetPartInput, options?: CallOptions): Promise<PartWithHtml>
  /** Change a part. Changes only the fields that are sent. Pages that include the part change immediately; after a rename, those that include the old name become error pages. Needs the scope `pages`. */
  updatePart(input: UpdatePartInput, options?: CallOptions & Conditional): Promise<Part>
  /** Delete a part. Pages that include the part become error pages. Participants can restore it from the history in the dashboard. Needs the scope `pages`. */
  deletePart(input: DeletePartInput, options?: CallOptions & Conditional): Promise<void>
  /** List the records. All data records of the space, ordered by key, with their values. Needs the scope `data`. */
  listData(options?: CallOptions): Promise<DataList>
  /** Read a record. One data record with its value, the schema derived from it and shape warnings. Needs the scope `data`. */
  getData(input: GetDataInput, options?: CallOptions & Pick<Conditional, 'ifNoneMatch'>): Promise<DataRecord>
  /** Write a record. Creates the record or replaces its value entirely. With `version`, the record is written only if it still has this version. Needs the scope `data`. */
  putData(input: PutDataInput, options?: CallOptions & Conditional): Promise<DataRecord>
  /** Delete a record. Pages that use it show nothing instead. Participants can restore it from the history in the dashboard. Needs the scope `data`. */
  deleteData(input: DeleteDataInput, options?: CallOptions & Conditional): Promise<void>
  /** List the files. All files of the space, newest first, and how much of the quota they use. Needs the scope `files` or `files_write`. */
  listFiles(options?: CallOptions): Promise<FileList>
  /** Upload a file. Uploading a name that already exists creates another file. Anyone who knows the address can fetch the file. Needs the scope `files_write`. */
  uploadFile(input: UploadFileInput, options?: CallOptions & Repeatable): Promise<File>
  /** Read a file. The metadata of the file. Fetch its content from `url`. Needs the scope `files` or `files_write`. */
  getFile(input: GetFileInput, options?: CallOptions): Promise<File>
  /** Rename or replace a file. The id and the address stay the same. If you rename the file, its content type follows the new name. Browsers may show the old content for up to 5 minutes. Participants can restore the old content from the history in the dashboard. Needs the scope `files_write`. */
  updateFile(input: UpdateFileInput, options?: CallOptions & Conditional): Promise<File>
  /** Delete a file. Its address returns 404 immediately. Participants can restore it from the history in the dashboard. Needs the scope `files_write`. */
  deleteFile(input: DeleteFileInput, options?: CallOptions & Conditional): Promise<void>
}

/** Calls the User API: Acts as one person: profile, posts on the main timeline, comments and likes. */
export interface UserClient {
  /** Read your profile. Returns the account, the scopes of the token, and the rules and limits that apply. Works with any token, whatever its scopes. */
  getMe(options?: CallOptions): Promise<Account>
  /** Change your profile. Changes only the fields that you send. If one is invalid, nothing changes. White space around a handle and a `@` before it are removed. With a new handle, the old profile URL stops working, without a redirect. Needs the scope `profile`. */
  updateProfile(input: UpdateProfileInput, options?: CallOptions & Conditional): Promise<Account>
  /** Set your picture. The picture is rebuilt from its pixels, so that metadata is dropped. It is neither cropped nor scaled. Needs the scope `profile`. */
  setProfileIcon(input: SetProfileIconInput, options?: CallOptions & Conditional): Promise<Account>
  /** Remove your picture. The first character of your name is shown instead. Also succeeds when there is no picture. Needs the scope `profile`. */
  removeProfileIcon(options?: CallOptions & Conditional): Promise<void>
  /** List your posts. All your own posts, drafts included, newest first, without their content. Needs the scope `posts`. */
  listMyPosts(options?: CallOptions): Promise<PostList>
  /** Publish a post. The post is on the timeline immediately. Each `format` has its own fields: `html` requires `html`, `markdown` requires `markdown`, `reblog` requires `url` and accepts `text`. Needs the scope `posts`. */
  createPost(input: CreatePostInput, options?: CallOptions & Repeatable): Promise<Post>
  /** Read a post. One post with its document: any published post, or one of your drafts. Needs the scope `posts`. */
  getPost(input: GetPostInput, options?: CallOptions): Promise<PostDetail>
  /** Replace the body of a post. Your own posts only. Replaces the whole body, whose format can change; id, address, tags and published state stay the same. Readers see the new body immediately. Needs the scope `posts`. */
  updatePost(input: UpdatePostInput, options?: CallOptions & Conditional): Promise<Post>
  /** Delete a post. Your own posts only. The address of the post returns 404 immediately. The likes, comments and reports of the post are deleted too. For a limited time, you can restore the post in the dashboard. The restored post has its reports, but not its likes and comments. Needs the scope `posts`. */
  deletePost(input: DeletePostInput, options?: CallOptions & Conditional): Promise<void>
  /** List the comments on a post. The first 100 comments, oldest first. If there are more, the `Link` header has the address of the next ones: `<…>; rel="next"`. Needs the scope `comments`. */
  listComments(input: ListCommentsInput, options?: CallOptions): Promise<CommentList>
  /** Comment on a post. A person can comment on the same post any number of times. If the author has closed the post for comments, the response is 422 `validation_failed` with the field `$`. Needs the scope `comments`. */
  createComment(input: CreateCommentInput, options?: CallOptions & Repeatable): Promise<Comment>
  /** Replace a comment. Your own comments only. The comment stays on its post. Needs the scope `comments`. */
  updateComment(input: UpdateCommentInput, options?: CallOptions & Conditional): Promise<Comment>
  /** Delete a comment. Your own comments only. This cannot be undone. Needs the scope `comments`. */
  deleteComment(input: DeleteCommentInput, options?: CallOptions & Conditional): Promise<void>
  /** Like a post. Liking a post again changes nothing. A request body is ignored. Needs the scope `likes`. */
  likePost(input: LikePostInput, options?: CallOptions): Promise<LikeState>
  /** Unlike a post. Also succeeds if you have not liked the post. Needs the scope `likes`. */
  unlikePost(input: UnlikePostInput, options?: CallOptions): Promise<void>
}

