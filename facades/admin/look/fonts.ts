import fraunces from '../../../routers/content/starters/sites/blog/files/fraunces.woff2?url'
import frauncesLicense from '../../../routers/content/starters/sites/blog/files/fraunces-font-license.txt?url'
import bigShoulders from '../../../routers/content/starters/sites/club/files/big-shoulders.woff2?url'
import bigShouldersLicense from '../../../routers/content/starters/sites/club/files/big-shoulders-font-license.txt?url'
import plexMono from '../../../routers/content/starters/sites/documentation/files/plex-mono.woff2?url'
import plexMonoLicense from '../../../routers/content/starters/sites/documentation/files/plex-mono-font-license.txt?url'
import bricolage from '../../../routers/content/starters/sites/event/files/bricolage.woff2?url'
import bricolageLicense from '../../../routers/content/starters/sites/event/files/bricolage-font-license.txt?url'
import instrumentSerif from '../../../routers/content/starters/sites/links/files/instrument-serif.woff2?url'
import instrumentSerifLicense from '../../../routers/content/starters/sites/links/files/instrument-serif-font-license.txt?url'
import pixelify from '../../../routers/content/starters/sites/personal/files/pixelify.woff2?url'
import pixelifyLicense from '../../../routers/content/starters/sites/personal/files/pixelify-font-license.txt?url'
import syne from '../../../routers/content/starters/sites/portfolio/files/syne.woff2?url'
import syneLicense from '../../../routers/content/starters/sites/portfolio/files/syne-font-license.txt?url'
import shrikhand from '../../../routers/content/starters/sites/restaurant/files/shrikhand.woff2?url'
import shrikhandLicense from '../../../routers/content/starters/sites/restaurant/files/shrikhand-font-license.txt?url'
import { api, type Outputs, queryClient, rpc } from '../api.ts'
import { readBase64 } from '../files/use-uploads.ts'
import { ExplainedError } from '../ui/failure.ts'

/** A font for headings, and fonts for text that go with it. */
export interface FontPair {
  label: string
  /** The file name that a look has for the font; empty for the fonts of the reader's system. */
  headings: string
  /** CSS font families that readers' systems have. */
  text: string
  /** The files that a space needs for it, and where the dashboard has them. */
  files: { name: string; url: string }[]
  weight: number
}

const files = (name: string, url: string, license: string) => [
  { name: `${name}.woff2`, url },
  { name: `${name}-font-license.txt`, url: license },
]

/** The pairs to choose from. All fonts are in the starters; a space gets a copy, so its readers load them from it. */
export const FONT_PAIRS: readonly FontPair[] = [
  {
    label: 'Fraunces with a book serif',
    headings: 'fraunces.woff2',
    text: 'Iowan Old Style, Palatino Linotype, Palatino, Book Antiqua, Georgia, serif',
    files: files('fraunces', fraunces, frauncesLicense),
    weight: 600,
  },
  {
    label: 'Instrument Serif with a soft sans',
    headings: 'instrument-serif.woff2',
    text: 'Optima, Candara, Gill Sans, Noto Sans, Segoe UI, sans-serif',
    files: files('instrument-serif', instrumentSerif, instrumentSerifLicense),
    weight: 400,
  },
  {
    label: 'Bricolage with a geometric sans',
    headings: 'bricolage.woff2',
    text: 'Avenir, Avenir Next, Century Gothic, Trebuchet MS, Verdana, sans-serif',
    files: files('bricolage', bricolage, bricolageLicense),
    weight: 800,
  },
  {
    label: 'Syne with Helvetica',
    headings: 'syne.woff2',
    text: 'Helvetica Neue, Helvetica, Arial, sans-serif',
    files: files('syne', syne, syneLicense),
    weight: 800,
  },
  {
    label: 'Plex Mono with a plain sans',
    headings: 'plex-mono.woff2',
    text: 'Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif',
    files: files('plex-mono', plexMono, plexMonoLicense),
    weight: 500,
  },
  {
    label: 'Shrikhand with Gill Sans',
    headings: 'shrikhand.woff2',
    text: 'Gill Sans, Gill Sans MT, Calibri, Trebuchet MS, sans-serif',
    files: files('shrikhand', shrikhand, shrikhandLicense),
    weight: 400,
  },
  {
    label: 'Big Shoulders with Verdana',
    headings: 'big-shoulders.woff2',
    text: 'Verdana, Geneva, DejaVu Sans, sans-serif',
    files: files('big-shoulders', bigShoulders, bigShouldersLicense),
    weight: 800,
  },
  {
    label: 'Pixelify with Trebuchet',
    headings: 'pixelify.woff2',
    text: 'Trebuchet MS, Lucida Grande, Lucida Sans Unicode, Verdana, sans-serif',
    files: files('pixelify', pixelify, pixelifyLicense),
    weight: 600,
  },
  {
    label: 'The fonts of the reader’s system',
    headings: '',
    text: 'system-ui, sans-serif',
    files: [],
    weight: 700,
  },
]

type StoredFiles = Outputs['files']['list']['data']

/** Copies the files of a pair into a space, except those that it has. */
export const addFonts = async (subdomain: string, pair: FontPair, stored: StoredFiles): Promise<void> => {
  const missing = pair.files.filter(({ name }) => !stored.some(file => file.name === name))
  for (const { name, url } of missing) {
    const response = await fetch(url)
    if (!response.ok) throw new ExplainedError('The font could not be loaded', 'Try again.')
    const file = new File([await response.blob()], name)
    const content = await readBase64(file, AbortSignal.timeout(30_000))
    await rpc.files.create.mutate({ subdomain, name, content, encoding: 'base64' })
  }
  if (missing.length > 0) await queryClient.invalidateQueries(api.files.pathFilter())
}
