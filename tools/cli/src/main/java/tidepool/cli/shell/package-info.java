/**
 * {@code tidepool shell}: statements on a pool, typed or piped. {@link tidepool.cli.shell.Shell} reads lines and
 * answers; {@link tidepool.cli.shell.ShellSession} owns the pool and the open transaction, on its own thread. The
 * package does not depend on the fabric of the pool.
 */
package tidepool.cli.shell;
