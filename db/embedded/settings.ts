/**
 * The settings of the embedded server: small enough for a laptop or a container, quiet, and private.
 * @param durable false makes writes faster, but a machine crash can lose data; only tests pass false
 */
export function serverSettings(durable: boolean): Record<string, string> {
  return {
    max_connections: '50',
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    min_wal_size: '32MB',
    // Small containers have little or no /dev/shm.
    dynamic_shared_memory_type: 'mmap',
    // Many short queries gain nothing from parallel plans, JIT or I/O workers.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    io_method: 'sync',
    // Cancels statements whose client has disconnected.
    client_connection_check_interval: '5s',
    // No replication.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Log messages about the server itself, but no errors of statements. Clients receive these errors anyway, and
    // logged statements would contain user content. The value 'log' leaves these errors out, because PostgreSQL ranks
    // the level "log" above the level "error" here.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_checkpoints: 'off',
    log_line_prefix: '',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
}
