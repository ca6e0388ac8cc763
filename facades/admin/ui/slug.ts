/** How letters without a base letter in Unicode are written in Latin ones. Umlauts are written as in German. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  `ä:ae ö:oe ü:ue ß:ss æ:ae œ:oe ø:o ł:l đ:d ð:d þ:th ħ:h ı:i ŋ:ng ŧ:t ə:e
  а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch
  ъ: ы:y ь: э:e ю:yu я:ya є:ye і:i ї:yi ґ:g ў:u ј:j љ:lj њ:nj ђ:dj ћ:c џ:dz
  α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o`
    .split(/\s+/)
    .map(pair => [pair.charAt(0), pair.slice(2)]),
)

const inLatin = (letter: string) => LETTERS.get(letter) ?? letter

/**
 * Derives a slug or subdomain from a title. Empty if nothing of the title can be written in Latin letters or digits.
 *
 * @param maxLength maximum length of the result
 */
export const slugOf = (title: string, maxLength: number): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\P{ASCII}/gu, inLatin)
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .replace(/\P{ASCII}/gu, inLatin)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '')
