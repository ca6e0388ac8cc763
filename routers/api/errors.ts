import { apiErrors } from './api-errors.ts'
import { dashboardErrors } from './dashboard-errors.ts'

/** Every error that callers can get, by its code. */
export const errors = { ...apiErrors, ...dashboardErrors }

export type ErrorCode = keyof typeof errors
