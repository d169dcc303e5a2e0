package tidepool.cli;

import picocli.CommandLine.Command;

/** {@code tidepool install}: puts the published artifacts into the local repository of Maven. */
@Command(
        name = "install",
        description = {
            "Install jars, sources, Javadoc and BOM for Maven.",
            "Done by the launcher. Applications then depend on dev.tidepool:tidepool-api."
                    + " -Dmaven.repo.local=FOLDER chooses the repository."
        })
final class InstallCommand extends LauncherCommand {}
