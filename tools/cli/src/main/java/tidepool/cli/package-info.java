/**
 * The command {@code tidepool}.
 *
 * <p>A new subcommand is a class of its own with picocli's {@code @Command}, and one line in
 * {@link tidepool.cli.RootCommand}. It inherits {@code --help} and {@code --debug}, and throws
 * {@link tidepool.cli.UserError} when the user can correct the error.
 */
package tidepool.cli;
