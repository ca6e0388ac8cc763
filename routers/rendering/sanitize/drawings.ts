/**
 * SVG in plain pages. The sanitizer removes each `svg` element with its content. So the code that reads plain pages
 * (plain.ts) only has to find the end of the `svg` element. SVG and HTML have different parsing rules. This file lists
 * the SVG elements for which both sets of rules give the same result.
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
