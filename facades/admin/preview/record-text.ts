/** A place in a record as templates write it, such as `data.articles[2].title`. */
export const recordText = ([key, ...path]: readonly [string, ...(string | number)[]]): string =>
  [
    'data',
    ...[key, ...path].map(step =>
      typeof step === 'string' && /^[a-z_][\w-]*$/i.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
    ),
  ].join('')
