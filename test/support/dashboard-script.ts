/**
 * Returns the path of the script that the document of the dashboard loads, such as `assets/index-1.js`.
 *
 * @throws an error that says what to do if the dashboard is not built
 */
export const dashboardScript = (html: string): string => {
  const [, path] = /src="\.\/(assets\/[^"]+\.js)"/.exec(html) ?? []
  if (path === undefined)
    throw new Error(
      'The dashboard is not built. `npm test` builds it, and `npx node facades/admin/build.ts`.',
    )
  return path
}
