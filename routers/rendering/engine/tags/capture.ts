import { CaptureTag, type Context } from 'liquidjs'
import { Html } from '../html.ts'
import { renderTemplates } from '../render.ts'

/** `{% capture name %}`: its content is safe HTML and is not escaped again. */
export class CaptureHtml extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const html = yield renderTemplates(this.templates, context)
    context.bottom()[this.variable] = new Html(html)
  }
}
