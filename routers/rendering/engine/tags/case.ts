import { CaseTag, type Context, type Emitter, evalToken, toValue } from 'liquidjs'
import { caseOf } from '../liquidjs.ts'
import { OPERATORS } from '../operators.ts'
import { renderTemplates } from '../render.ts'

type Equals = (left: unknown, right: unknown) => Generator<unknown, boolean>

/** `{% case value %}`: compares as the operator `==` does. In liquidjs, a variable that does not exist does not equal nil. */
export class Case extends CaseTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const isLenient = context.opts.lenientIf
    const { value: subject, branches, otherwise } = caseOf(this)
    const target = toValue(yield subject.value(context, isLenient))
    let isFound = false
    for (const { values, templates } of branches) {
      for (const token of values) {
        const value = yield evalToken(token, context, isLenient)
        if (!(yield (OPERATORS['=='] as Equals)(target, value))) continue
        renderTemplates(templates, context, emitter)
        isFound = true
        break
      }
    }
    if (!isFound) renderTemplates(otherwise, context, emitter)
  }
}
