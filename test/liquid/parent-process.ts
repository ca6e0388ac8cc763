import { startRenderer } from '../../routers/rendering/renderer.ts'
import { renderIn } from './site.ts'

// A process that starts a renderer. The test kills this process in the middle of an evaluation.
const renderer = startRenderer({ processes: 1 })
await renderIn(renderer, 'up')
void renderIn(renderer, '{% for i in (1..100000) %}{% for j in (1..100000) %}{% endfor %}{% endfor %}')
process.send?.('evaluating')
