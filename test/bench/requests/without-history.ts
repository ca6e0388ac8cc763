/** The service without history: the triggers that record it do not run. */
process.env.PGOPTIONS = '-c session_replication_role=replica'
await import('./seeded.ts')
