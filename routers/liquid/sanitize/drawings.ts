/**
 * SVG in plain pages. It is removed with its content, so the code that reads these pages (plain.ts) only has to
 * find its end. The parsing rules of SVG and HTML differ; this file lists the SVG elements for which they give
 * the same result.
 */

const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

const elements = names(
  `svg g path rect circle ellipse line polyline polygon text tspan textpath image use symbol defs marker mask pattern
   clippath lineargradient radialgradient stop title desc
   animate animatemotion animatetransform set mpath view switch metadata
   filter feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap
   fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset
   fespecularlighting fetile feturbulence fedistantlight fepointlight fespotlight`,
)

/** Elements in which a parser reads HTML. In a plain page, they contain only text. */
const withText = names('title desc')

/** Whether `element` is listed here, and a parser treats it as SVG inside the SVG element `parent`. */
export function isDrawnInside(element: string, parent: string): boolean {
  return elements.has(element) && !withText.has(parent)
}
