// Runs in every frame before anything else does, in those that a payload makes as well: says what came to run there.
for (const name of ['alert', 'confirm', 'prompt', 'print']) {
  window[name] = () => {
    window.report(name);
  };
}
