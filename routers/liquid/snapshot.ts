/** Everything that the templates of one space may read, at one revision of the space. */
export interface SiteSnapshot {
  space: { name: string; subdomain: string; url: string }
  pages: { slug: string; url: string }[]
  files: { name: string; contentType: string; size: number; url: string }[]
  /** By key, each record's value as the stored JSON text. */
  data: Record<string, string>
  parts: { name: string; html: string }[]
}
