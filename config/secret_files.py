"""Creates the files that hold the secrets, if they are missing.

python -m config.secret_files FOLDER              the secrets of the service
python -m config.secret_files --compose FOLDER    also the logins for the containers of docker-compose.yml
"""

from config.deployment.secret_files import main

if __name__ == "__main__":
    main()
