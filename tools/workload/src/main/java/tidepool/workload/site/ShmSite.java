package tidepool.workload.site;

import java.nio.file.Path;

/** A pool in mapped files of a folder; no process is started. */
record ShmSite(Path folder, String parameters) implements Site {
    @Override
    public String url() {
        return "shm:" + folder.resolve("pool") + "?nodes=" + TcpSite.NODES + "&" + parameters;
    }

    @Override
    public String text() {
        return "in shared memory at " + folder;
    }

    @Override
    public void close() {
        // The caller owns the folder.
    }
}
