package tidepool.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Which Tidepool this is. The build writes it down; the launcher tells the build the commit. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        Properties build = new Properties();
        try (InputStream written = Version.class.getResourceAsStream("build.properties")) {
            build.load(written);
        }
        String commit = build.getProperty("commit");
        String known = commit.equals("unknown") ? "" : ", commit " + commit;
        return new String[] {"tidepool " + build.getProperty("version") + known};
    }
}
