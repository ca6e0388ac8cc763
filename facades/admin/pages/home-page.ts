/** Whether a slug is that of the home page. */
export const isHomePage = (slug: string): boolean => slug === 'index'
