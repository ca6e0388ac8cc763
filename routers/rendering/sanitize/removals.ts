/** The markup that sanitizing removed, to report to the page's author. */
import type { RemovedMarkup } from '../../api/renderer.ts'

const reasons = {
  script: 'Static pages run no scripts. Choose the kind “scripted” for a page that needs them.',
  form: 'Static pages have no forms. The text inside this element is kept.',
  choices: 'Static pages have no forms. A list of choices is removed with its text.',
  embed: 'Static pages cannot embed documents or programs.',
  svg: 'SVG can contain scripts. Upload it as a file and show it with <img>.',
  address: 'Its address could run a script, or has a scheme that is not allowed here.',
  addressInStyle:
    'Only a URL in this style was removed. This URL could run a script, or has a scheme that is not allowed here.',
  relation:
    'Only part of this attribute was removed: values that preload resources or give other sites access to this window.',
  comment: 'Comments are not sent to readers.',
  metadata:
    'Static pages can use <meta> only to describe the page, and <link> only for metadata, styles and icons.',
  base: 'It would change the target of every link on the page.',
  misplaced: 'Browsers do not allow it at this place, so its tags were left out.',
  unknown: 'It is unknown in HTML, or could change how the page behaves. Its text is kept.',
} as const

type RemovalReason = keyof typeof reasons

/** Maximum number of different removals that are reported. Longer lists usually repeat a few mistakes. */
const LONGEST_LIST = 50

/** Longest name that is reported. */
const LONGEST_NAME = 60

/** Elements by the reason for which they are removed; elements not listed here count as unknown. */
const elements: Partial<Record<RemovalReason, string>> = {
  script: 'script template noscript',
  svg: 'svg',
  base: 'base',
  metadata: 'meta link',
  form: 'form fieldset legend label button input textarea output keygen isindex',
  choices: 'select datalist option optgroup',
  embed: 'iframe frame frameset noframes noembed embed object applet portal fencedframe param canvas',
}

const reasonOf: ReadonlyMap<string, RemovalReason> = new Map(
  Object.entries(elements).flatMap(([reason, names]) =>
    names.split(' ').map(name => [name, reason as RemovalReason] as const),
  ),
)

/** Collects what is removed from a page. */
export class Removals {
  private readonly found = new Map<string, RemovedMarkup>()

  /** Records an element. @param misplaced whether the element is allowed, but not where it was found */
  element(name: string, misplaced = false): void {
    this.add(name, null, misplaced ? 'misplaced' : (reasonOf.get(name) ?? 'unknown'))
  }

  /** Records an attribute. @param allowed whether its name is allowed; if so, it was removed because of its value */
  attribute(element: string, name: string, allowed: boolean): void {
    this.add(element, name, allowed ? 'address' : /^on/i.test(name) ? 'script' : 'unknown')
  }

  /** Records an attribute of which only a part was removed. */
  partOfAttribute(element: string, name: string): void {
    this.add(element, name, name === 'style' ? 'addressInStyle' : 'relation')
  }

  /** Records that an address in a `<style>` element was removed. */
  addressInStyleSheet(): void {
    this.add('style', null, 'addressInStyle')
  }

  comment(): void {
    this.add('!-- … --', null, 'comment')
  }

  /** The removals, in the order in which they were first found. */
  get list(): RemovedMarkup[] {
    return [...this.found.values()]
  }

  private add(element: string, attribute: string | null, reason: RemovalReason): void {
    const key = `${element.slice(0, LONGEST_NAME)} ${attribute?.slice(0, LONGEST_NAME) ?? ''} ${reason}`
    const known = this.found.get(key)
    if (known) known.count += 1
    else if (this.found.size < LONGEST_LIST) {
      this.found.set(key, {
        element: element.slice(0, LONGEST_NAME),
        attribute: attribute?.slice(0, LONGEST_NAME) ?? null,
        message: reasons[reason],
        count: 1,
      })
    }
  }
}
