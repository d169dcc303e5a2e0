package tidepool.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of Tidepool. The build writes it to a file; the launcher passes the commit to the build. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"tidepool " + text()};
    }

    /** Returns the version, and the commit if it is known. */
    static String text() {
        String commit = build().getProperty("commit");
        return number() + (commit.equals("unknown") ? "" : ", commit " + commit);
    }

    /** Returns the version without the commit. */
    static String number() {
        return build().getProperty("version");
    }

    private static Properties build() {
        Properties build = new Properties();
        try (InputStream written = Version.class.getResourceAsStream("build.properties")) {
            build.load(written);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build;
    }
}
