/** Maximum number of cached formatters; templates can name hundreds of time zones. */
const MAX_FORMATTERS = 64

/** The default format of `Date.prototype.toLocaleString`. */
const DATE_AND_TIME: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
}

type Locales = Parameters<typeof Intl.DateTimeFormat>[0]

/**
 * Caches the formatters that liquidjs creates anew for every name of a month or weekday and for every date in a time
 * zone. Creating them took 85 % of the time of a page with 50 dates. Replaces globals, so call it only in worker
 * processes.
 */
export function cacheDateFormats(): void {
  const create = Intl.DateTimeFormat
  const formatters = new Map<string, Intl.DateTimeFormat>()
  const formatter = (locales: Locales, options: Intl.DateTimeFormatOptions | undefined) => {
    const key = JSON.stringify([locales, options])
    const cached = formatters.get(key)
    if (cached) return cached
    const created = create(locales, options)
    if (formatters.size >= MAX_FORMATTERS) formatters.clear()
    formatters.set(key, created)
    return created
  }
  Intl.DateTimeFormat = new Proxy(create, {
    apply: (_target, _self, [locales, options]: [Locales, Intl.DateTimeFormatOptions | undefined]) =>
      formatter(locales, options),
  })
  // oxlint-disable-next-line typescript/unbound-method -- called below with a date as `this`
  const original = Date.prototype.toLocaleString
  // oxlint-disable-next-line no-extend-native -- liquidjs calls it for every date in a time zone
  Date.prototype.toLocaleString = function (
    this: Date,
    locales?: Locales,
    options?: Intl.DateTimeFormatOptions,
  ) {
    const isZoneOnly = options !== undefined && Object.keys(options).join() === 'timeZone'
    if (!isZoneOnly || Number.isNaN(this.getTime())) return original.call(this, locales, options)
    return formatter(locales, { ...DATE_AND_TIME, ...options }).format(this)
  }
}
