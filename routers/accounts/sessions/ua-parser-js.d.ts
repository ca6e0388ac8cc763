/** What we use of the library, which brings no types along in its last version with a permissive licence. */
declare module 'ua-parser-js' {
  interface Result {
    browser: { name: string | undefined }
    os: { name: string | undefined }
    device: { vendor: string | undefined; model: string | undefined }
  }
  export default function parse(userAgent: string): Result
}
