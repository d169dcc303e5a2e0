/**
 * {@code tidepool shell}: statements on a pool, typed or piped. {@link tidepool.cli.shell.Shell} reads lines and answers;
 * {@link tidepool.cli.shell.Session} has the pool and the open transaction, on a thread of its own. Nothing here knows
 * which fabric carries the pool.
 */
package tidepool.cli.shell;
