export default { optimizeDeps: { exclude: ["boundcheck"] } };
