/** Preloaded into the service: SIGUSR2 rejects a promise that nothing awaits. */
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('planted'))
})
