/** Drops the databases of each test file if content is distributed: Citus runs a process for each database. */
import { afterAll, inject } from 'vitest'
import { dropCopies } from './database.ts'

afterAll(() => dropCopies(inject('database')))
