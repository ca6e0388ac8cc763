// The dashboard imports the Markdown of posts from here, because it must not import most modules of `routers`.
export { newMarkdown } from '../../routers/social/posts/markdown/dialect.ts'
