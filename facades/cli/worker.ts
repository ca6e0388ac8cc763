/** The program of the package's worker processes. */
import './node-20.ts'
import '../../routers/rendering/engine/worker-main.ts'
