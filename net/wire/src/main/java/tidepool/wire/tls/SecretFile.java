package tidepool.wire.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Reads files that only their owner may read, and refuses those that other users of the machine may open. */
public final class SecretFile {
    /** Maximum bytes of a file: far more than thousands of clients need, and far less than would exhaust memory. */
    static final int MAX_BYTES = 4 << 20;

    private static final Set<PosixFilePermission> OF_THE_OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private SecretFile() {}

    /** Returns the bytes of a file that only its owner may open. Error messages call it {@code what}. */
    public static byte[] read(Path file, String what) {
        PosixFileAttributes attributes = attributes(file, what);
        if (!OF_THE_OWNER.containsAll(attributes.permissions()))
            throw new CredentialsException(
                    what + " " + file + " can be opened by others than its owner; say: chmod 600 " + file);
        return bytes(file, what, attributes);
    }

    /** Returns the bytes of a file that every user may read, such as a certificate, but only its owner may write. */
    static byte[] readPublic(Path file, String what) {
        PosixFileAttributes attributes = attributes(file, what);
        Set<PosixFilePermission> modes = attributes.permissions();
        if (modes.contains(PosixFilePermission.GROUP_WRITE) || modes.contains(PosixFilePermission.OTHERS_WRITE))
            throw new CredentialsException(
                    what + " " + file + " can be changed by others than its owner; say: chmod 644 " + file);
        return bytes(file, what, attributes);
    }

    private static PosixFileAttributes attributes(Path file, String what) {
        try {
            PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
            if (!attributes.isRegularFile()) throw new CredentialsException(what + " " + file + " is not a file");
            if (attributes.size() > MAX_BYTES)
                throw new CredentialsException(what + " " + file + " is too long: " + attributes.size() + " bytes");
            return attributes;
        } catch (NoSuchFileException e) {
            throw new CredentialsException(what + " " + file + " is not there", e);
        } catch (IOException e) {
            throw new CredentialsException(what + " " + file + " cannot be read: " + e.getMessage(), e);
        } catch (UnsupportedOperationException e) {
            throw new CredentialsException(
                    what + " " + file + " lies where files have no modes, so nobody can tell who may read it", e);
        }
    }

    private static byte[] bytes(Path file, String what, PosixFileAttributes attributes) {
        try (var in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES)
                throw new CredentialsException(what + " " + file + " is too long: it grew beyond " + attributes.size());
            return bytes;
        } catch (IOException e) {
            throw new CredentialsException(what + " " + file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
