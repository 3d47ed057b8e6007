"""Makes the files that hold the secrets, where they are missing.

python -m config.secret_files FOLDER              the secrets of the service
python -m config.secret_files --compose FOLDER    and the logins that docker-compose.yml shares out
"""

from config.deployment.secret_files import main

if __name__ == "__main__":
    main()
