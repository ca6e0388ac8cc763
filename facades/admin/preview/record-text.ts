/** A record, and a place in its value. */
export type RecordPath = [key: string, ...path: (string | number)[]]

/** A place in a record as templates write it, such as `data.articles[2].title`. */
export const recordText = ([key, ...path]: Readonly<RecordPath>): string =>
  [
    'data',
    ...[key, ...path].map(step =>
      typeof step === 'string' && /^[a-z_][\w-]*$/i.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
    ),
  ].join('')
