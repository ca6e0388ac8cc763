/** A broken rule. */
interface FieldError {
  field: string
  message: string
}

interface ProblemBody {
  title: string
  status: number
  code: string
  detail?: string
  errors?: FieldError[]
}

const isProblem = (value: unknown): value is ProblemBody =>
  typeof value === 'object' && value !== null && 'code' in value && 'title' in value

/** The seconds in a `Retry-After` header; undefined if there are none. */
const secondsIn = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after')
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

/** What the service answered instead of a result. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly status: number
  readonly title: string
  readonly detail: string | undefined
  readonly errors: readonly FieldError[]
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined

  /**
   * @param operation the name of the operation
   * @param text the body of the response
   */
  constructor(operation: string, response: Response, text: string) {
    const parsed = parse(text)
    const problem = isProblem(parsed)
      ? parsed
      : { title: 'The response is not from the service', code: 'unexpected_response' }
    const { code, title, detail, errors = [] }: Omit<ProblemBody, 'status'> = problem
    const rules = errors.map(({ field, message }) => `${field} ${message}`)
    super(`${operation}: ${response.status} ${code}: ${rules.join('; ') || detail || title}`)
    this.code = code
    this.status = response.status
    this.title = title
    this.detail = detail
    this.errors = errors
    this.retryAfter = secondsIn(response.headers)
    this.requestId = response.headers.get('x-request-id') ?? undefined
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
